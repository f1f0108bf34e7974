import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SLAPD = '/usr/sbin/slapd'
const SCHEMAS = '/etc/ldap/schema'
const OPENSSL = '/usr/bin/openssl'
const MODULES = '/usr/lib/ldap'

/** Why no directory can be started here; empty where one can. */
export const missing = (): string => {
  if (!existsSync(SLAPD) || !existsSync(SCHEMAS)) return 'slapd is not installed (Debian package slapd)'
  return existsSync(OPENSSL) ? '' : 'openssl is not installed'
}

export const BASE = 'dc=example,dc=org'
const entries = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people

${[
  ['ana', 'Ana Li', 'ana@dir.example', 'ana secret'],
  ['ben', 'Ben (Ops) *', 'ben@dir.example', 'ben secret'],
  ['twin', 'Twin One', 'shared@dir.example', 'twin secret'],
  ['other', 'Twin Two', 'shared@dir.example', 'twin secret'],
  ['stoa', 'Stoa', 'stoa@dir.example', 'service secret'],
]
  .map(
    ([uid, cn, mail, password]) => `dn: uid=${uid},ou=people,${BASE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${cn}
sn: ${uid}
mail: ${mail}
userPassword: ${password}
`,
  )
  .join('\n')}
dn: cn=members,${BASE}
objectClass: groupOfNames
cn: members
member: uid=ana,ou=people,${BASE}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** An OpenLDAP of the test, with a certificate for `localhost` by an authority of its own. */
export async function startSlapd() {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-slapd-'))
  const at = (name: string) => join(folder, name)
  mkdirSync(at('data'))
  const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: folder, stdio: 'ignore' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Authority of the test', '-days', '2')
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  openssl('req', '-x509', ...ec, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-keyout', 'own.key', '-out', 'own.pem', ...named, '-days', '2')
  writeFileSync(
    at('slapd.conf'),
    `${['core', 'cosine', 'inetorgperson'].map((name) => `include ${SCHEMAS}/${name}.schema`).join('\n')}
modulepath ${MODULES}
moduleload back_mdb
pidfile ${at('pid')}
TLSCACertificateFile ${at('ca.pem')}
TLSCertificateFile ${at('own.pem')}
TLSCertificateKeyFile ${at('own.key')}
database mdb
suffix "${BASE}"
directory ${at('data')}
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="uid=stoa,ou=people,${BASE}" read by * none
`,
  )
  writeFileSync(at('entries.ldif'), entries)
  execFileSync('/usr/sbin/slapadd', ['-f', at('slapd.conf'), '-l', at('entries.ldif')], { stdio: 'pipe' })
  const [plain, secure] = [await freePort(), await freePort()]
  const child = spawn(SLAPD, ['-d', '256', '-f', at('slapd.conf'), '-h', `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${secure}`])
  let log = ''
  await new Promise<void>((started, failed) => {
    child.stderr.on('data', (part) => {
      log += part
      if (log.includes('slapd starting')) started()
    })
    child.on('exit', (code) => failed(new Error(`slapd ended with ${code}: ${log}`)))
  })
  return {
    url: `ldap://localhost:${plain}`,
    secureUrl: `ldaps://localhost:${secure}`,
    ca: readFileSync(at('ca.pem'), 'utf8'),
    /** What it was asked. */
    log: () => log,
    async end() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
