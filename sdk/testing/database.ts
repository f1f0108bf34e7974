import { randomBytes } from 'node:crypto'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Makes an empty database on a server that tests may use. @param server address with a user who may create databases */
export async function createDatabase(server: string): Promise<TestDatabase> {
  const name = `stoa_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  // Only those who test on PostgreSQL need the driver.
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
