import type { PropsOf } from '@stoa/sdk'
import { MenuEntry } from '@stoa/sdk/ui/menu'
import { useText } from '@stoa/sdk/web'
import type { answerSlots } from '../../answers/shared/api.ts'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { useFlag } from './use-flag.tsx'

/** Entry in the menus of posts and answers. */
export default function FlagEntry(props: PropsOf<typeof experienceSlots.menu> | PropsOf<typeof answerSlots.menu>) {
  const t = useText('reports')
  const [kind, authorId] = 'answer' in props ? ['answer', props.answer.user_info.id] : ['experience', props.authorId]
  const { isOwn, ask, dialog } = useFlag(kind, props.id, authorId)
  if (isOwn) return null
  return (
    <>
      <MenuEntry label={t('flag')} icon="flag" onSelect={ask} />
      {dialog}
    </>
  )
}
