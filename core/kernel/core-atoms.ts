import type { SiteState } from '@stoa/sdk/web'
import { atom } from 'jotai'

export const siteAtom = atom<SiteState>({})
/** Counts what has come of texts that were there in part. */
export const textsAtom = atom(0)
export const languageAtom = atom('zh_CN')
/** `light`, `dark` or `system`. */
export const schemeAtom = atom('system')
/** How the reader wants lists. */
export const listsAtom = atom<'rows' | 'cards'>('rows')
