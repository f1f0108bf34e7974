import type { PropsOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { CallForm } from '@stoa/sdk/ui/call-form'
import { Count } from '@stoa/sdk/ui/number'
import { useText } from '@stoa/sdk/web'
import type { bookmarkSlots } from '../shared/api.ts'
import { bookmarkCalls } from '../shared/api.ts'
import { useBookmark } from './use-bookmark.ts'

/** Bookmarks what the page is about, and says how many have. */
export default function BookmarkButton({ id, ...given }: PropsOf<typeof bookmarkSlots.button>) {
  const t = useText('bookmarks')
  const { count, bookmarked, busy, toggle } = useBookmark(id, given)
  return (
    <CallForm
      call={bookmarkCalls.toggle}
      members={{ object_id: id, group_id: '0', toggle: 'true' }}
      onSubmit={(event) => {
        event.preventDefault()
        void toggle()
      }}
    >
      <Button
        type="submit"
        variant="quiet"
        size="small"
        icon="bookmark"
        aria-keyshortcuts="b"
        aria-pressed={bookmarked}
        aria-disabled={busy || undefined}
      >
        {t(bookmarked ? 'bookmarked' : 'bookmark')}
        {count > 0 && <Count value={count} label={t('bookmarks', { count })} />}
      </Button>
    </CallForm>
  )
}
