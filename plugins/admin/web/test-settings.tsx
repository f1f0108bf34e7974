import { pluginCalls } from '@stoa/sdk/administration'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import { Row, Stack } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText } from '@stoa/sdk/web'
import { useEffect, useRef, useState } from 'react'

interface TestSettingsProps {
  slug: string
  /** As they are in the form. */
  values: Record<string, unknown>
}

/** What a refusal says of the fields, or in its place what is wrong at all. */
export const problemOf = ({ fields = {}, msg, message }: ApiError): string => Object.values(fields).join(' ') || msg || message

/** Tries what stands in the form, and says beside it what came of it until something is changed. */
export function TestSettings({ slug, values }: TestSettingsProps) {
  const api = useApi()
  const t = useText('admin')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ of: object; problem?: string }>()
  const shown = result?.of === values ? result : undefined
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])

  async function press(): Promise<void> {
    setBusy(true)
    const body = { plugin_slug_name: slug, config_fields: values }
    const problem = await api.send(pluginCalls.testConfig, { body, passingError: true }).then(
      () => undefined,
      (error: ApiError) => problemOf(error),
    )
    if (!isThere.current) return
    setBusy(false)
    setResult({ of: values, ...(problem !== undefined && { problem }) })
  }

  return (
    <Stack>
      <Row>
        <Button busy={busy} onClick={() => void press()}>
          {t('settings.test')}
        </Button>
      </Row>
      {shown && (
        <Notice tone={shown.problem === undefined ? 'success' : 'danger'} live>
          {shown.problem ?? t('settings.works')}
        </Notice>
      )}
    </Stack>
  )
}
