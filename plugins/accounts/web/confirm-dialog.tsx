import type { Asking } from '@stoa/sdk/web'
import { useApi } from '@stoa/sdk/web'
import type { ProofMethod } from '../shared/api.ts'
import { confirmingCalls } from '../shared/api.ts'
import styles from './confirm-dialog.module.css'
import { Proofs } from './parts/proofs.tsx'
import { useAccountsText } from './parts/use-accounts-text.ts'

/** Asks for a proof before something delicate. */
export default function ConfirmDialog({ methods, answer }: { methods: readonly ProofMethod[] } & Asking<true>) {
  const api = useApi()
  const t = useAccountsText()
  return (
    <>
      <h2 className={styles.title}>{t('confirm.title')}</h2>
      <p className={styles.lead}>{t('confirm.lead')}</p>
      <Proofs
        methods={methods}
        submit={t('confirm.submit')}
        begin={async (method) => (await api.send(confirmingCalls.beginConfirm, { body: { method }, passingError: true })).shown}
        send={async (proof) => {
          await api.send(confirmingCalls.confirm, { body: proof, passingError: true })
          answer(true)
        }}
      />
    </>
  )
}
