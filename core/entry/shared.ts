import * as sdk from '@stoa/sdk'
import * as badge from '@stoa/sdk/ui/badge'
import * as chip from '@stoa/sdk/ui/chip'
import * as empty from '@stoa/sdk/ui/empty'
import * as notice from '@stoa/sdk/ui/notice'
import * as number from '@stoa/sdk/ui/number'
import * as page from '@stoa/sdk/ui/page'
import * as pagination from '@stoa/sdk/ui/pagination'
import * as time from '@stoa/sdk/ui/time'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as reactDom from 'react-dom'
import { legacyComponents, shareKeys, uiComponents, webParts } from '../../sdk/shared/share-keys.ts'
import * as sdkWeb from '../../sdk/web/shared-module.ts'

/** Replaced by the build. */
declare const process: { env: { NODE_ENV?: string } }

/** One offered module: its version and how to get it. */
export interface Offer {
  version: string
  get(): Promise<() => unknown>
  /** Set when it is there already. */
  lib?: () => unknown
}

const here = (version: string, module: unknown): Offer => ({ version, lib: () => module, get: async () => () => module })

const later = (version: string, load: () => Promise<unknown>): Offer => ({
  version,
  async get() {
    const module = await load()
    return () => module
  },
})

/** `^1.2.3` → `1.2.3`: the version we offer is the one that containers are built against. */
const versionOf = (key: string): string => (shareKeys[key] ?? '').replace('^', '')

/** Of nearly every page. In files of their own they would weigh more: each brings half a KB of headers, its styles again. */
const small: Record<string, unknown> = { badge, chip, empty, notice, number, page, pagination, time }

/** Other kit components load when a container asks for them; each is a chunk of its own unless the frame uses it. */
const importUi = (name: string): Promise<unknown> =>
  import(
    /* webpackInclude: /[\\/][a-z-]+\.tsx$/, webpackExclude: /editor-props|\.test\./, webpackChunkName: "ui-[request]" */ `../../sdk/ui/${name}.tsx`
  )

/** One file for what a page that changes under its reader asks for together. */
const parts = {
  fields: () => import('@stoa/sdk/web/fields'),
  live: () => import(/* webpackChunkName: "live" */ '@stoa/sdk/web/live'),
  optimistic: () => import(/* webpackChunkName: "live" */ '@stoa/sdk/web/optimistic'),
}

/** Everything core offers to plugins, by share key. */
export function shareScope(): Record<string, Offer> {
  const offers: Record<string, Offer> = {
    react: here(react.version, react),
    'react/jsx-runtime': here(react.version, jsxRuntime),
    'react-dom': here(react.version, reactDom),
    '@stoa/sdk': here(versionOf('@stoa/sdk'), sdk),
    '@stoa/sdk/web': here(versionOf('@stoa/sdk/web'), sdkWeb),
  }
  if (process.env.NODE_ENV !== 'production') offers['react/jsx-dev-runtime'] = later(react.version, () => import('react/jsx-dev-runtime'))
  for (const name of uiComponents) {
    const key = `@stoa/sdk/ui/${name}`
    offers[key] = small[name] ? here(versionOf(key), small[name]) : later(versionOf(key), () => importUi(name))
  }
  for (const name of webParts) offers[`@stoa/sdk/web/${name}`] = later(versionOf('@stoa/sdk/web'), parts[name])
  for (const name of legacyComponents)
    offers[`@stoa/sdk/ui/${name}`] = later(
      versionOf('@stoa/sdk/web'),
      () => import(/* webpackInclude: /\.tsx$/, webpackChunkName: "legacy-[request]" */ `../../sdk/legacy/ui/${name}.tsx`),
    )
  return offers
}
