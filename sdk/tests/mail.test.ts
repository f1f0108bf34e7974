import { expect, it } from 'vitest'
import { parseMail } from '../testing/mail.ts'

it('reads a mail with a Chinese subject and two parts', () => {
  const source = [
    'To: "Ana" <ana@example.org>',
    `Subject: =?UTF-8?B?${Buffer.from('欢迎').toString('base64')}?=`,
    'Content-Type: multipart/alternative; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Open https://example.org/?code=3D12=',
    '34',
    '--b1',
    'Content-Type: text/html',
    '',
    '<p>Open</p>',
    '--b1--',
  ].join('\r\n')
  expect(parseMail(source)).toEqual({ to: 'ana@example.org', subject: '欢迎', text: 'Open https://example.org/?code=1234' })
})
