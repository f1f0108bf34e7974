import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Row } from '@stoa/sdk/ui/page'

export interface SubmitProps {
  label: string
  busy: boolean
  /** What went wrong as a whole. */
  failure: string
  wide?: boolean
}

/** The one primary button of a form, and beside it why it could not be sent. */
export function Submit({ label, busy, failure, wide = false }: SubmitProps) {
  return (
    <>
      {failure && (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      )}
      <Row>
        <Button type="submit" variant="primary" busy={busy} wide={wide}>
          {label}
        </Button>
      </Row>
    </>
  )
}
