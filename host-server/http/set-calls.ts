import { rowsOfPage } from '@stoa/sdk'
import type { PluginSetPlan } from '@stoa/sdk/administration'
import { pluginCalls as calls } from '@stoa/sdk/administration'
import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import * as schemas from '../../sdk/administration/plugin-call-schemas.ts'
import type { Deciding } from './deciding.ts'
import { notesIn } from './deciding.ts'
import type { PluginCallServices } from './plugin-calls.ts'

/** A set with all its settings stays far below. */
const MOST_BYTES = 4 * 1024 * 1024

/** The calls that export the whole set of plugins and apply one, by a plan first. */
export function setCalls(services: PluginCallServices, decided: Deciding): Route[] {
  const sets = () => services.admin().sets
  const written = (plan: PluginSetPlan, language: string) => {
    const named = (slug: string) => ({ slug_name: slug, name: services.describe(slug, language).name })
    const isRefusal = plan.notes.filter(({ refuses }) => refuses)
    const problem = ({ code, slug, field, text }: PluginSetPlan['problems'][number]) => {
      const words = {
        name: named(slug).name,
        ...(field !== undefined && { field: services.translate(slug, field, language) }),
        ...(text !== undefined && { reason: services.say(text, {}, language, text) }),
      }
      return services.say(`error.plugin_set.problem.${code}`, words, language, code)
    }
    return {
      epoch: plan.epoch,
      on: plan.on.map(named),
      off: plan.off.map(named),
      also_on: plan.alsoOn.map(named),
      also_off: plan.alsoOff.map(named),
      settings: plan.settings.map(({ slug, fields }) => ({
        ...named(slug),
        fields: fields.map(({ title, from, to }) => ({ title: services.translate(slug, title, language), from, to })),
      })),
      missing: plan.missing.map(({ slug, ...rest }) => ({ slug_name: slug, ...rest })),
      other_versions: plan.otherVersions.map(({ slug, ...rest }) => ({ ...named(slug), ...rest })),
      notes: notesIn(
        services,
        plan.notes.filter(({ refuses }) => !refuses),
        language,
      ),
      problems: [...plan.problems.map(problem), ...notesIn(services, isRefusal, language)],
    }
  }
  return [
    route(calls.history, schemas.history, {
      access: 'admin',
      summary: 'Who switched which plugin, where and when, newest first; one plugin with `plugin_slug_name`.',
      async handle({ query, language }) {
        const { size: limit, offset } = rowsOfPage(query)
        const { count, list } = await services.admin().history({ slug: query.plugin_slug_name, offset, limit })
        const nameOf = (slug: string) => (slug === '' ? '' : services.describe(slug, language).name)
        return {
          count,
          list: list.map(({ at, slug, deed, version, cause, way, login }) => ({
            ...{ at, deed, version, way, by: login },
            ...{ slug_name: slug, name: nameOf(slug), cause: nameOf(cause) },
          })),
        }
      },
    }),
    route(calls.exportSet, schemas.exportSet, {
      access: 'admin',
      summary: 'Every plugin with its state, version and settings, as a file; secrets are left out.',
      handle: () => sets().export(),
    }),
    route(calls.planSet, schemas.planSet, {
      access: 'admin',
      summary: 'What applying a file of a set would change; changes nothing.',
      bodyLimit: MOST_BYTES,
      async handle({ body, language }) {
        services.rediscover()
        return written(await sets().plan(body.set), language)
      },
    }),
    route(calls.applySet, schemas.applySet, {
      access: 'admin',
      summary: 'Applies a file of a set wholly or not at all; `confirm` is the epoch of its plan.',
      bodyLimit: MOST_BYTES,
      handle: ({ body, person, language }) => decided(person, language, () => sets().apply(body.set, body.confirm, body.without_missing)),
    }),
  ]
}
