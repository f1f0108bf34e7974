import type { ReplyOf } from '@stoa/sdk'
import type { SettingField } from '@stoa/sdk/ui/settings-page'
import { SettingsPage } from '@stoa/sdk/ui/settings-page'
import { Table } from '@stoa/sdk/ui/table'
import { formatCount, useApi, useText } from '@stoa/sdk/web'
import { useCallback, useState } from 'react'
import { siteCalls } from '../../shared/api.ts'

type Options = ReplyOf<typeof siteCalls.privileges>['options']
type Level = 1 | 2 | 3 | 99
const OWN = 99

/** The level, and beside it the number of each right by its name. */
type Values = { level: number } & Record<string, number>

/** How much reputation each right needs: one of three levels, or the owner's own numbers. */
export default function PrivilegesPage() {
  const api = useApi()
  const t = useText('site')
  const [options, setOptions] = useState<Options>([])
  const load = useCallback(async () => {
    const { options: offered, selected_level } = await api.send(siteCalls.privileges)
    setOptions(offered)
    const own = offered.find(({ level }) => level === OWN)?.privileges ?? []
    return { level: selected_level, ...Object.fromEntries(own.map(({ key, value }) => [key, value])) } as Values
  }, [api])
  const rightsOf = (level: number) => options.find((option) => option.level === level)?.privileges ?? []

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
        ...rightsOf(OWN).map(
          ({ key, label }): SettingField => ({
            name: key,
            type: 'number',
            title: label,
            unit: t('privileges.points'),
            required: true,
            shownWhen: level === OWN,
          }),
        ),
      ]}
    >
      {({ level }) =>
        level !== OWN && (
          <Table
            caption={t('privileges.table')}
            rows={rightsOf(level)}
            rowKey={({ key }) => key}
            columns={[
              { key: 'label', label: t('privileges.right'), header: true, render: ({ label }) => label },
              { key: 'value', label: t('privileges.needed'), align: 'end', narrow: true, render: ({ value }) => formatCount(value) },
            ]}
          />
        )
      }
    </SettingsPage>
  )
}
