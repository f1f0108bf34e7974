import type { ReplyOf } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Spinner } from '@stoa/sdk/ui/spinner'
import type { Asking } from '@stoa/sdk/web'
import { Slot, useApi, useText } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import { captchaCalls, captchaSlots } from '../shared/api.ts'
import styles from './dialog.module.css'

interface Solved {
  captcha_id: string
  captcha_code: string
}

interface About {
  method: string
  path: string
  /** What was wrong with the code before; empty the first time. */
  problem: string
}

type Challenge = ReplyOf<typeof captchaCalls.challenge>

/** A picture with a field, or whatever the plugin draws that makes the puzzles. */
export default function CaptchaDialog({ method, path, problem, answer }: About & Asking<Solved>) {
  const t = useText('captcha')
  const api = useApi()
  const [challenge, setChallenge] = useState<Challenge>()
  const [failure, setFailure] = useState(problem)
  const load = useCallback(async () => {
    setChallenge(undefined)
    try {
      setChallenge(await api.send(captchaCalls.challenge, { body: { method, path }, passingError: true }))
    } catch (error) {
      const { msg, message } = error as { msg?: string; message: string }
      setFailure(msg || message)
    }
  }, [api, method, path])
  useEffect(() => void load(), [load])

  const solve = (code: string) => {
    if (challenge) answer({ captcha_id: challenge.captcha_id, captcha_code: code })
  }
  const again = () => {
    setFailure('')
    void load()
  }
  return (
    <div className={styles.dialog}>
      <h2 className={styles.title}>{t('title')}</h2>
      <p className={styles.lead}>{t('lead')}</p>
      {failure && <Notice tone="danger" title={failure} action={challenge ? undefined : <Button onClick={again}>{t('again')}</Button>} />}
      {!challenge && !failure && <Spinner label={t('loading')} />}
      {challenge &&
        (challenge.captcha_img ? (
          <Picture challenge={challenge} solve={solve} again={again} />
        ) : (
          <Slot
            of={captchaSlots.widget}
            props={{
              puzzle: challenge.puzzle,
              solve,
              fail(text: string) {
                setChallenge(undefined)
                setFailure(text)
              },
            }}
          />
        ))}
    </div>
  )
}

function Picture({ challenge, solve, again }: { challenge: Challenge; solve(code: string): void; again(): void }) {
  const t = useText('captcha')
  const [code, setCode] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  return (
    <form
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() === '') setEmpty(true)
        else solve(code.trim())
      }}
    >
      <img className={styles.picture} src={challenge.captcha_img} alt={t('picture')} />
      {challenge.captcha_sound && (
        // biome-ignore lint/a11y/useMediaCaption: a caption would be the answer
        <audio className={styles.sound} controls src={challenge.captcha_sound} aria-label={t('sound')} />
      )}
      <TextField
        label={t('code')}
        value={code}
        onChange={(text) => {
          setCode(text)
          setEmpty(false)
        }}
        error={isEmpty ? t('empty') : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        required
      />
      <div className={styles.actions}>
        <Button type="submit" variant="primary">
          {t('send')}
        </Button>
        <Button onClick={again}>{t('another')}</Button>
      </div>
    </form>
  )
}
