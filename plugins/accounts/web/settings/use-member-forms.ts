import { useApi, useLanguage, useLogin } from '@stoa/sdk/web'
import { memberSettingsCalls } from '@stoa/sdk/web/member-settings'
import { useEffect, useState } from 'react'

interface MemberForm {
  name: string
  slug_name: string
}

/** Of this document, so that the tabs stand while one goes from one to the next. */
let known: { key: string; forms: MemberForm[] } | undefined

/** Plugins that let each member choose something. */
export function useMemberForms(): MemberForm[] {
  const api = useApi()
  const language = useLanguage()
  const { person } = useLogin()
  const key = `${person?.id} ${language}`
  const [forms, setForms] = useState<MemberForm[]>([])
  useEffect(() => {
    setForms(known?.key === key ? known.forms : [])
    let isGone = false
    api.send(memberSettingsCalls.list, { passingError: true, ignoreServerError: true }).then(
      (list) => {
        known = { key, forms: list }
        if (!isGone) setForms(list)
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [api, key])
  return forms
}
