import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { noticeObjects } from '../../notifications/shared/api.ts'
import { fillNoticeObjects, readAwardsPage, readOfPerson, readRecent, readUnseen } from './read-awards.ts'
import { readAdminPage, readGroups, readInfo } from './read-badges.ts'
import { adminBadges, awardsPage, badgeGroups, badgeInfo, badgesOfPerson, recentBadges, unseenAwards } from './read-tokens.ts'

export default defineReads({
  functions: [
    reading(badgeGroups, readGroups),
    reading(badgeInfo, readInfo),
    reading(awardsPage, readAwardsPage),
    reading(badgesOfPerson, readOfPerson),
    reading(recentBadges, readRecent),
    reading(unseenAwards, readUnseen),
    reading(adminBadges, readAdminPage),
  ],
  decorators: [decorating(noticeObjects, fillNoticeObjects)],
})
