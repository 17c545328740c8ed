import { beforeEach, expect, test } from 'vitest'
import { createSmtpMailer } from '#adapters/mail/createSmtpMailer.js'
import type { Mail } from '#base/ports/mail.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startMailServer } from '../../helpers/startMailServer.js'

const answer = (responseCode: number) => Object.assign(new Error('<ada@example.com> no'), { responseCode })

const server = openBeforeAll(() =>
  startMailServer({
    onRcptTo: ({ address }, _, done) => {
      const code = /^code(\d+)@/.exec(address)?.[1]
      done(code ? answer(Number(code)) : null)
    },
  }),
)
beforeEach(() => {
  server.received.length = 0
})

const from = 'shop@recto.example'
const mail: Mail = {
  id: '4d9c4f0e-6f3a-4b0b-9d2c-0a1b2c3d4e5f',
  to: 'ada@example.com',
  sender: 'Räucherwerk & Söhne, 東京',
  subject: '「砂丘」が届きました — Übergrößen',
  text: 'Grüße aus Köln.\n早速お届けしました。\nВы получили “кота”.',
  html: '<!doctype html><p>Grüße, 東京</p>',
  locale: 'ja-JP',
}
const send = (changes: Partial<Mail> = {}, url = server.url) =>
  createSmtpMailer({ url, from }).send({ ...mail, ...changes })

test('default', async () => {
  expect(await send()).toEqual({ status: 'sent' })
  const [received] = server.received
  expect(received).toMatchObject({ from, to: ['ada@example.com'] })
  const { headers, bodies } = received?.message ?? {}
  expect(headers?.get('subject')).toBe(mail.subject)
  expect(headers?.get('from')).toBe(`${mail.sender} <${from}>`)
  expect(headers?.get('to')).toBe('ada@example.com')
  expect(headers?.get('message-id')).toBe(`<${mail.id}@recto.example>`)
  expect(headers?.get('content-language')).toBe('ja-JP')
  expect(headers?.get('auto-submitted')).toBe('auto-generated')
  expect(Object.fromEntries(bodies ?? [])).toEqual({ 'text/plain': mail.text, 'text/html': mail.html })
})

test('parameters: a server that wants a name and a password', async () => {
  const closed = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'kassa' && password === 'hunter/2@' ? done(null, { user: username }) : done(answer(535)),
  })
  const host = `127.0.0.1:${closed.port}`
  expect(await send({}, `smtp://kassa:${encodeURIComponent('hunter/2@')}@${host}`)).toEqual({
    status: 'sent',
  })
  expect(closed.received).toMatchObject([{ user: 'kassa' }])
  const refusal: unknown = await send({}, `smtp://kassa:hunter3@${host}`).catch((error) => error)
  expect(String(refusal)).toContain('EAUTH')
  expect(String(refusal)).not.toContain('hunter3')
  await closed.close()
})

test('parameters: a server that offers encryption', async () => {
  const offering = await startMailServer({ disabledCommands: [] })
  // Its certificate is self-signed.
  await expect(send({}, offering.url)).rejects.toThrow('the mail server did not accept an e-mail: ')
  expect(await send({}, `${offering.url}/?tls.rejectUnauthorized=false`)).toEqual({ status: 'sent' })
  expect(offering.received).toMatchObject([{ isEncrypted: true }])
  await offering.close()
})

test('behavior: a password is sent to another machine encrypted or not at all', async () => {
  const stripped = await startMailServer({ authOptional: false, allowInsecureAuth: true })
  // The unspecified address reaches this machine, but is not a local address.
  const url = `smtp://kassa:hunter2@0.0.0.0:${stripped.port}`
  await expect(send({}, url)).rejects.toThrow('the mail server did not accept an e-mail: ETLS')
  // The URL's explicit choice is respected. Here the server refuses the password.
  await expect(send({}, `${url}/?requireTLS=false`)).rejects.toThrow('EAUTH')
  await stripped.close()
})

test('behavior: a repetition has the same message id', async () => {
  await send()
  await send()
  const ids = server.received.map(({ message }) => message.headers.get('message-id'))
  expect(ids).toEqual([ids[0], ids[0]])
})

test.each([
  'a@example.com, b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'Bo <b@example.com>',
  '"a, b"@example.com',
  'nobody',
  '',
])('error: anything but a single address receives nothing: %j', async (to) => {
  expect(await send({ to })).toEqual({ status: 'refused', code: 553 })
  expect(server.received).toEqual([])
})

test('behavior: a line break in a name adds no header', async () => {
  await send({ subject: 'Hi\r\nBcc: eve@example.com', sender: 'Recto\r\nBcc: eve@example.com' })
  expect(server.received[0]?.to).toEqual(['ada@example.com'])
  expect(server.received[0]?.message.headers.has('bcc')).toBe(false)
})

test.each([550, 551, 553])('error: %i permanently', async (code) => {
  expect(await send({ to: `code${code}@example.com` })).toEqual({ status: 'refused', code })
})

test.each([421, 450, 451])('error: %i temporarily', async (code) => {
  const error: unknown = await send({ to: `code${code}@example.com` }).catch((err) => err)
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toContain(String(code))
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('example.com')
})

test.each([
  [554, { status: 'refused', code: 554 }],
  [451, 'the mail server did not accept an e-mail: EMESSAGE DATA 451'],
])('error: %i for its content', async (contentCode, expected) => {
  const strict = await startMailServer({ contentCode })
  expect(await send({}, strict.url).catch((error) => error.message)).toEqual(expected)
  await strict.close()
})

test('error: no server answers', async () => {
  const gone = await startMailServer()
  await gone.close()
  await expect(send({}, gone.url)).rejects.toThrow('the mail server did not accept an e-mail: ')
})
