import { Button } from '@stoa/sdk/ui/button'
import { PageTitle, Row, Stack } from '@stoa/sdk/ui/page'
import type { FormEvent, ReactNode } from 'react'
import styles from './install.module.css'

/** One step of the wizard: a form that leads on, and back where there is something before it. */
export function Step({
  title,
  text,
  children,
  next,
  back,
  busy = false,
  onSubmit,
}: {
  title: string
  text?: string
  children: ReactNode
  next: string
  back?: { label: string; onBack: () => void }
  busy?: boolean
  onSubmit: () => void
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form method="post" className={styles.step} onSubmit={submit} noValidate>
      <PageTitle text={text}>{title}</PageTitle>
      <Stack gap={5}>{children}</Stack>
      <Row justify="between" className={styles.buttons ?? ''}>
        {back ? (
          <Button variant="quiet" disabled={busy} onClick={back.onBack}>
            {back.label}
          </Button>
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" busy={busy}>
          {next}
        </Button>
      </Row>
    </form>
  )
}
