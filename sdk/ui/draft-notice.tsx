import type { Draft } from '@stoa/sdk/web'
import { useText } from '@stoa/sdk/web'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Time } from './time.tsx'

interface DraftNoticeProps {
  draft: Draft<unknown>
  /** Something stands in the form. */
  isChanged: boolean
  /** Clears the draft and the form. */
  onDiscard(): void
}

/** Above a form: that its draft was put back, and that another one waits. */
export function DraftNotice({ draft, isChanged, onDiscard }: DraftNoticeProps) {
  const t = useText('core')
  return (
    <>
      {draft.isRestored && isChanged && (
        <Notice
          action={
            <Button size="small" variant="quiet" onClick={onDiscard}>
              {t('kit.draft.discard')}
            </Button>
          }
        >
          {t('kit.draft.restored')}
        </Notice>
      )}
      {draft.other && (
        <Notice
          action={
            <Button size="small" variant="quiet" onClick={draft.takeOther}>
              {t('kit.draft.take')}
            </Button>
          }
        >
          <Time at={Math.floor(draft.other.savedAt / 1000)} style="datetime" phrase={(time) => t('kit.draft.other', { time })} />
        </Notice>
      )}
    </>
  )
}
