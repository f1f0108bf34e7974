import { runStoa } from '../../host-server/tests/run-stoa.ts'

/**
 * What `stoa doctor` says of numbers that a site keeps, such as the votes of a post, where they are not what there is to count.
 * @param databaseUrl as `startSite` hands it to `restore`; undefined for SQLite
 */
export async function wrongNumbers(dataDir: string, databaseUrl: string | undefined): Promise<string[]> {
  const { out } = await runStoa(['doctor', '--json'], { STOA_DATA: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  const { findings } = JSON.parse(out) as { findings: { about: string; level: string; text: string }[] }
  const numbers = findings.filter(({ about }) => about === 'numbers')
  if (!numbers.some(({ level, text }) => level === 'wrong' || /^[1-9]\d* kinds/.test(text)))
    throw new Error(`No number was compared: ${out}`)
  return numbers.filter(({ level }) => level === 'wrong').map(({ text }) => text)
}
