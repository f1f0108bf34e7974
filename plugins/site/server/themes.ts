import type { ServerContext } from '@stoa/sdk/server'
import type { ThemeOption } from '../shared/api.ts'
import { themePoint } from '../shared/api.ts'

/** A theme that this site has, on or not. */
export interface Theme {
  value: string
  /** Empty: the bare look of the kit. */
  slug: string
  name: string
  description: string
  isOn: boolean
}

const PREFIX = /^theme-/

/** Themes are plugins of which one is on: choosing one switches it. */
export function createThemes(ctx: ServerContext) {
  const contributed = () =>
    ctx.host
      .contributions<ThemeOption | ThemeOption[]>(themePoint)
      .flatMap(({ slug, value }) => [value].flat().map((option) => ({ slug, ...option })))

  /** What a plugin calls itself in the settings; of one that is off, the end of its slug. */
  const choiceOf = (slug: string): string => contributed().find((option) => option.slug === slug)?.value ?? slug.replace(PREFIX, '')

  function list(language = ctx.host.request()?.language ?? ctx.site.language): Theme[] {
    const plugins = ctx.host.plugins.list().filter(({ type, version }) => type === 'theme' && version !== '')
    const themes = plugins.map(({ slug, state }) => ({
      ...{ slug, value: choiceOf(slug), isOn: state === 'on' },
      ...ctx.host.plugins.describe(slug, language),
    }))
    if (themes.some(({ value }) => value === 'default')) return themes
    const isOn = !themes.some((theme) => theme.isOn)
    return [{ value: 'default', slug: '', name: ctx.host.texts.text('theme.default', {}, language), description: '', isOn }, ...themes]
  }

  /** Switches to a theme, the one before off; nothing happens where it is on. @throws errors of the kernel's switch */
  async function choose(value: string): Promise<void> {
    const { plugins } = ctx.host
    const themes = list()
    const theme = themes.find((one) => one.value === value)
    if (!theme || theme.isOn) return
    if (theme.slug !== '') return await plugins.switch(theme.slug, true, plugins.epoch)
    for (const { slug, isOn } of themes) if (isOn && slug !== '') await plugins.switch(slug, false, plugins.epoch)
  }

  return { list, choose, css: (slug: string) => (slug === '' ? '' : ctx.host.plugins.styles(slug)) }
}
