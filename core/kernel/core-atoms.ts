import type { SiteState } from '@stoa/sdk/web'
import { atom } from 'jotai'

export const siteAtom = atom<SiteState>({})
export const languageAtom = atom('zh_CN')
/** `light`, `dark` or `system`. */
export const schemeAtom = atom('system')
