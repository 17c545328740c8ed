import { expect, test } from 'vitest'
import { createLog } from '#entry/createLog.js'
import { testConfig } from '../../helpers/testConfig.js'

const write = (url: string, say: (log: ReturnType<typeof createLog>) => void): string => {
  let written = ''
  say(
    createLog(
      { ...testConfig, smtp: { url, from: 'shop@recto.example' } },
      { write: (line) => (written += line) },
    ),
  )
  return written
}

test('default', () => {
  const smtp = { url: 'smtps://token-of-recto:hunter%2F2@mail.example', from: 'shop@recto.example' }
  const written = write(smtp.url, (log) => {
    log.info({ config: { smtp } }, 'config')
    log.error({ err: new Error(`could not reach ${smtp.url}`) }, 'away')
    log.error({ err: new Error('535 token-of-recto hunter/2 is not known here') }, 'refused')
    log.error({}, 'hunter%2F2')
  })
  expect(written.split('\n').filter(Boolean)).toHaveLength(4)
  expect(written).toContain('535 [redacted] [redacted] is not known here')
  for (const hidden of ['token-of-recto', 'hunter', smtp.url]) expect(written).not.toContain(hidden)
})

test('behavior: a password too short to distinguish from words leaves them unchanged', () => {
  expect(write('smtp://me:not@mail.example', (log) => log.info({}, 'me or not'))).toContain('me or not')
})

test('behavior: a badly encoded password is hidden all the same', () => {
  expect(write('smtp://kassa:%hunter2@mail.example', (log) => log.info({}, '%hunter2'))).not.toContain(
    'hunter2',
  )
})

test('behavior: without credentials only the address is hidden', () => {
  expect(write('smtp://mail.example', (log) => log.info({}, 'a mail'))).toContain('a mail')
})
