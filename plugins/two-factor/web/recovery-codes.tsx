import { Button } from '@stoa/sdk/ui/button'
import { Row, Section, Stack } from '@stoa/sdk/ui/page'
import { useSite, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import styles from './two-factor.module.css'

/** Codes that are shown once, to be kept elsewhere. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): void }) {
  const t = useText('two-factor')
  const toast = useToast()
  const name = useSite().general?.name ?? ''
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast({ text: t('copied'), tone: 'success' }),
      () => toast({ text: t('copy_failed'), tone: 'danger' }),
    )
  const download = () => {
    const text = [t('file', { site: name }), location.origin, '', ...codes, ''].join('\r\n')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = 'recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div ref={box} tabIndex={-1} className={styles.codesBox}>
      <Section level={3} title={t('codes_title')} text={t('codes_text')}>
        <Stack>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <Row>
            <Button icon="download" onClick={download}>
              {t('download')}
            </Button>
            <Button icon="copy" onClick={copy}>
              {t('copy')}
            </Button>
            <Button variant="primary" onClick={done}>
              {t('saved')}
            </Button>
          </Row>
        </Stack>
      </Section>
    </div>
  )
}
