import { ButtonLink } from '@stoa/sdk/ui/button'
import { Select, TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { PageTitle, Row } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useLanguage, useLanguages, usePlace, useSession, useText } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { accountCalls } from '../../accounts/shared/api.ts'
import { installCalls } from '../shared/api.ts'
import { DatabaseFields, emptyDatabase } from './database-fields.tsx'
import styles from './install.module.css'
import { keptProgress } from './kept-progress.ts'
import { emptySite } from './site-fields.tsx'
import { SiteStep } from './site-step.tsx'
import { Step } from './step.tsx'

const STEPS = 5

/** As the browser has them; the server's may be others. */
const zonesHere = () =>
  Intl.supportedValuesOf('timeZone')
    .filter((value) => value !== 'UTC')
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** The browser's zone; UTC, which means none, where that cannot be chosen. */
function zoneHere(): string {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zonesHere().some(({ value }) => value === here) ? here : 'UTC'
}

/** The calls are gone once the site is set up; of two who finish at the same moment one is refused. */
const isOver = ({ code, reason }: Partial<ApiError>) => code === 404 || reason === 'error.install.already_installed'

interface Choice {
  value: string
  label: string
}

/** The first start in five steps. What was typed stays when a step fails. */
export default function InstallPage() {
  const api = useApi()
  const { login: logIn, refreshSite, setLanguage } = useSession()
  const t = useText('install')
  const language = useLanguage()
  const login = usePlace('login') ?? '/'
  const [step, setStep] = useState(1)
  const [busy, setBusy] = useState(false)
  const languages = useLanguages()
  const [zones, setZones] = useState<Choice[]>([])
  const [database, setDatabase] = useState(emptyDatabase)
  const [site, setSite] = useState(emptySite)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [code, setCode] = useState('')
  /** The environment, or an earlier visit, has chosen the database. */
  const [isChosen, setChosen] = useState(false)
  const [isKept, setKept] = useState(false)
  /** By another tab, or somebody else. */
  const [isSetUp, setSetUp] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const [failures, setFailures] = useState(0)

  useEffect(() => {
    api.send(installCalls.askCode).then(
      ({ required }) => setNeedsCode(required),
      () => undefined,
    )
    setZones(zonesHere())
    const kept = keptProgress.read()
    setSite((now) => ({ ...now, site_url: now.site_url || location.origin, time_zone: zoneHere(), ...kept?.site }))
    if (kept) setDatabase((now) => ({ ...now, ...kept.database }))
    api.send(installCalls.state, { passingError: true }).then(
      ({ db_connection_success }) => {
        setChosen(db_connection_success)
        // Where the database is there, what follows on it can go on.
        if (kept) setStep(db_connection_success ? kept.step : Math.min(kept.step, 2))
        setKept(true)
      },
      () => setKept(true),
    )
  }, [api])
  useEffect(() => {
    if (isKept && step < STEPS) keptProgress.write({ step, database, site })
    else if (isKept) keptProgress.forget()
  }, [isKept, step, database, site])
  useEffect(() => {
    if (failures === 0) return
    const wrong = box.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? box.current?.querySelector('[role="alert"]')
    wrong?.scrollIntoView({ block: 'center' })
    if (wrong?.matches('input, select, textarea')) wrong.focus({ preventScroll: true })
  }, [failures])

  /** Runs a step's call and goes on, or shows beside the fields what is wrong. */
  async function run(work: () => Promise<void>, next = () => setStep((now) => now + 1)): Promise<void> {
    setBusy(true)
    setErrors({})
    setProblem('')
    try {
      await work()
      next()
    } catch (error) {
      if (isOver(error as Partial<ApiError>)) {
        keptProgress.forget()
        await refreshSite().catch(() => undefined)
        return setSetUp(true)
      }
      const { fields = {}, msg } = error as Partial<ApiError>
      setErrors(fields)
      if (Object.keys(fields).length === 0) setProblem(msg || t('errors.unreachable'))
      setFailures((now) => now + 1)
    } finally {
      setBusy(false)
    }
  }

  const prove = () =>
    run(
      async () => void (await api.send(installCalls.sendCode, { body: { code }, passingError: true })),
      () => setNeedsCode(false),
    )
  /** What was wrong with a field is not said of what stands there now. */
  const change =
    <V extends object>(before: V, set: (next: V) => void) =>
    (next: V) => {
      const isSame = (name: string) => Reflect.get(next, name) === Reflect.get(before, name)
      setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => isSame(name))))
      set(next)
    }

  const choose = () =>
    run(async () => {
      await api.send(installCalls.checkDatabase, { body: database, passingError: true })
      await api.send(installCalls.init, { body: database, passingError: true })
      setChosen(true)
    })
  const finish = (username: () => Promise<string>) =>
    run(
      async () => {
        await api.send(installCalls.finish, { body: { ...site, name: await username(), lang: language }, passingError: true })
        keptProgress.forget()
        await refreshSite()
        // Leads home. Without the plugin that keeps accounts, or when the answer is lost, the owner logs in as everybody does.
        await api
          .send(accountCalls.login, { body: { e_mail: site.email, pass: site.password }, passingError: true })
          .then(({ access_token }) => logIn(access_token))
          .catch(() => setStep(STEPS))
      },
      () => undefined,
    )

  const pages: Record<number, () => ReactNode> = {
    1: () => (
      <Step title={t('language.title')} onSubmit={() => setStep(isChosen ? 3 : 2)} next={t('next')}>
        <Select
          label={t('language.label')}
          help={t('language.help')}
          value={language}
          onChange={(value) => void setLanguage(value)}
          options={languages.map(({ code, label }) => ({ value: code, label }))}
        />
        <Select
          label={t('zone.label')}
          help={t('zone.help')}
          name="time_zone"
          value={site.time_zone}
          error={errors.time_zone}
          onChange={(time_zone) => setSite((now) => ({ ...now, time_zone }))}
          options={[{ value: 'UTC', label: t('zone.own') }, ...zones]}
        />
      </Step>
    ),
    2: () => (
      <Step
        title={t('database.title')}
        text={t('database.purpose')}
        onSubmit={choose}
        busy={busy}
        next={busy ? t('database.connecting') : t('next')}
        back={{ label: t('back'), onBack: () => setStep(1) }}
      >
        <DatabaseFields value={database} onChange={change(database, setDatabase)} errors={errors} />
      </Step>
    ),
    3: () => (
      <Step title={t('config.title')} onSubmit={() => setStep(4)} next={t('next')} back={{ label: t('back'), onBack: () => setStep(2) }}>
        <Notice tone="success">{t('config.text')}</Notice>
      </Step>
    ),
    4: () => (
      <SiteStep value={site} onChange={change(site, setSite)} errors={errors} busy={busy} onBack={() => setStep(3)} onFinish={finish} />
    ),
    5: () => (
      <div className={styles.step}>
        <PageTitle text={t('done.text')}>{t('done.title')}</PageTitle>
        <Row>
          <ButtonLink variant="primary" to={login}>
            {t('done.login')}
          </ButtonLink>
          <ButtonLink to="/">{t('done.home')}</ButtonLink>
        </Row>
      </div>
    ),
  }

  if (isSetUp)
    return (
      <div className={styles.page}>
        <PageTitle text={t('set_up.text')}>{t('set_up.title')}</PageTitle>
        <ButtonLink variant="primary" to="/">
          {t('done.home')}
        </ButtonLink>
      </div>
    )
  return (
    <div className={styles.page} ref={box}>
      <p className={styles.progress}>{needsCode ? t('title') : `${t('title')} · ${t('step', { step, total: STEPS })}`}</p>
      {!needsCode && <progress className={styles.bar} max={STEPS} value={step} aria-label={t('step', { step, total: STEPS })} />}
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      {needsCode ? (
        <Step title={t('code.title')} text={t('code.text')} onSubmit={prove} busy={busy} next={t('next')}>
          <TextField
            label={t('code.label')}
            help={t('code.help')}
            name="code"
            autoComplete="off"
            required
            value={code}
            error={errors.code}
            onChange={setCode}
          />
        </Step>
      ) : (
        pages[step]?.()
      )}
    </div>
  )
}
