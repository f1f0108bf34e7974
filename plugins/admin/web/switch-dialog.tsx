import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { Notice } from '@stoa/sdk/ui/notice'
import { Stack } from '@stoa/sdk/ui/page'
import { useText } from '@stoa/sdk/web'
import type { SwitchQuestion } from './types.ts'

/** Asks before others are switched along: what goes, what comes back, and what somebody should know. */
export function SwitchDialog({ question }: { question: SwitchQuestion | undefined }) {
  const t = useText('admin')
  if (!question) return null
  const { title, lines, warnings, choices, answer } = question
  return (
    <Dialog
      open
      title={title}
      onClose={() => answer(undefined)}
      actions={
        <>
          <Button onClick={() => answer(undefined)}>{t('plugins.leave_it')}</Button>
          {choices.map(({ value, label }, index) => (
            <Button key={value} variant={index === choices.length - 1 ? 'primary' : 'secondary'} onClick={() => answer(value)}>
              {label}
            </Button>
          ))}
        </>
      }
    >
      <Stack gap={3}>
        {warnings.length > 0 && (
          <Notice tone="warning">
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </Notice>
        )}
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Stack>
    </Dialog>
  )
}
