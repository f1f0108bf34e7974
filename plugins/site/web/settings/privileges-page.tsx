import type { ReplyOf } from '@stoa/sdk'
import { Section } from '@stoa/sdk/ui/page'
import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { formatCount, useApi, useText } from '@stoa/sdk/web'
import { useCallback, useState } from 'react'
import { siteCalls } from '../../shared/api.ts'
import styles from './privileges-page.module.css'

type Options = ReplyOf<typeof siteCalls.privileges>['options']
type Right = Options[number]['privileges'][number]
type Level = 1 | 2 | 3 | 99
const OWN = 99
const GROUPS = ['write', 'vote', 'improve', 'tags']

/** The level, and beside it the number of each right by its name. */
type Values = { level: number } & Record<string, number>

const groupsOf = (rights: readonly Right[]) => {
  const known = Map.groupBy(rights, ({ group }) => (GROUPS.includes(group) ? group : 'rest'))
  return [...GROUPS, 'rest'].flatMap((group) => {
    const found = known.get(group)
    return found ? [{ group, rights: found }] : []
  })
}

/** How much reputation each right needs: one of three levels, or the owner's own numbers. */
export default function PrivilegesPage() {
  const api = useApi()
  const t = useText('site')
  const [options, setOptions] = useState<Options>([])
  const load = useCallback(async () => {
    const { options: offered, selected_level } = await api.send(siteCalls.privileges)
    setOptions(offered)
    const numbersOf = (level: number) =>
      Object.fromEntries(offered.find((option) => option.level === level)?.privileges.map(({ key, value }) => [key, value]) ?? [])
    const [own, low] = [numbersOf(OWN), numbersOf(1)]
    // Own numbers that nobody has chosen yet are the lowest. Whoever begins with them would give every right away, so they begin where the site stands.
    const isUntouched = selected_level !== OWN && Object.entries(own).every(([key, value]) => value === low[key])
    return { level: selected_level, ...(isUntouched ? numbersOf(selected_level) : own) } as Values
  }, [api])
  const rightsOf = (level: number) => groupsOf(options.find((option) => option.level === level)?.privileges ?? [])

  async function save({ level, ...own }: Values): Promise<void> {
    const custom_privileges = Object.entries(own).map(([key, value]) => ({ key, value }))
    const wrong = custom_privileges.filter(({ value }) => !Number.isSafeInteger(value) || value < 1)
    if (level === OWN && wrong.length > 0) throw { fields: Object.fromEntries(wrong.map(({ key }) => [key, t('privileges.number')])) }
    const body = level === OWN ? { level: OWN as Level, custom_privileges } : { level: level as Level }
    await api.send(siteCalls.setPrivileges, { body, passingError: true })
  }

  return (
    <SettingsPage
      title={t('privileges.title')}
      text={t('privileges.purpose')}
      page="/admin/privileges"
      load={load}
      save={save}
      fields={({ level }) => [
        {
          name: 'level',
          type: 'choice',
          title: t('privileges.level'),
          options: options.map(({ level: value }) => ({
            value,
            label: t(`privileges.level_${value}`),
            help: t(`privileges.level_${value}_help`),
          })),
        },
        ...rightsOf(OWN).flatMap(({ group, rights }): SettingField[] => [
          { name: `group ${group}`, type: 'legend', title: t(`privileges.group_${group}`), shownWhen: level === OWN },
          ...rights.map(
            ({ key, label, help }): SettingField => ({
              name: key,
              type: 'number',
              title: label,
              description: help,
              unit: t('privileges.points'),
              required: true,
              shownWhen: level === OWN,
            }),
          ),
        ]),
      ]}
    >
      {({ level }) =>
        level !== OWN &&
        rightsOf(level).map(({ group, rights }) => (
          <Section key={group} title={t(`privileges.group_${group}`)}>
            <dl className={styles.rights}>
              {rights.map(({ key, label, help, value }) => (
                <div key={key} className={styles.right}>
                  <dt>{label}</dt>
                  <dd className={styles.help}>{help}</dd>
                  <dd className={styles.needed}>
                    {value > 1 ? t('privileges.from', { needed: formatCount(value) }) : t('privileges.everybody')}
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        ))
      }
    </SettingsPage>
  )
}
