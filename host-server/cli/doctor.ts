import type { Finding } from '@stoa/sdk/commands'
import type { Config } from '../config.ts'
import { databaseChecks } from './doctor-database.ts'
import { diskSpace, mailServer, openness, pluginsAsTheyLie, reach, versions } from './doctor-site.ts'
import { keptNumbers } from './kept-numbers.ts'
import { CommandError } from './operator.ts'
import type { Command } from './operator-commands.ts'
import { checkContext, contributed } from './plugin-commands.ts'
import type { SiteCheck } from './site-check.ts'

const siteChecks: Record<string, SiteCheck> = {
  versions,
  ...databaseChecks,
  'disk space': diskSpace,
  'rights of the data directory': openness,
  'address and admins': reach,
  mail: mailServer,
  plugins: pluginsAsTheyLie,
  numbers: keptNumbers,
}

const MARKS = { well: 'ok  ', notice: 'note', wrong: 'BAD ' } as const

/** `stoa doctor`: everything is looked at, also after something is wrong. @throws CommandError when something is */
export const doctor: (config: Config) => Command =
  (config) =>
  async (operator, _, { json, say }) => {
    const findings: (Finding & { about: string })[] = []
    const look = async (about: string, check: () => Promise<Finding[]>) => {
      const found = await check().catch((error: Error): Finding[] => [
        { level: 'wrong', text: `This could not be looked at: ${error.message}.`, advice: 'Look at the log, and try again.' },
      ])
      for (const finding of found) {
        findings.push({ about, ...finding })
        if (json) continue
        say(`${MARKS[finding.level]}  ${about}: ${finding.text}`)
        if (finding.advice) say(`      → ${finding.advice}`)
      }
    }
    for (const [about, check] of Object.entries(siteChecks)) await look(about, () => check(operator, config))
    const context = checkContext(operator)
    for (const { slug, loaded } of contributed(operator)) {
      if ('problem' in loaded) {
        const advice = `"stoa rollback ${slug}" goes back to the version before; what comes with the site is built anew by "npm run build".`
        await look(slug, async () => [
          { level: 'wrong', text: `What it adds to the command line does not load: ${loaded.problem}`, advice },
        ])
      } else for (const check of loaded.checks ?? []) await look(slug, () => check(context))
    }
    const [wrong, notices] = (['wrong', 'notice'] as const).map((level) => findings.filter((finding) => finding.level === level).length)
    if (json) say(JSON.stringify({ wrong, notices, findings }, null, 2))
    if (wrong) throw new CommandError(`${wrong === 1 ? 'One thing is' : `${wrong} things are`} wrong.`)
    if (!json) say(notices ? 'Nothing is wrong; see the notes.' : 'All is well.')
  }
