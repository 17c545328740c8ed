import { expect, test } from 'vitest'
import { readEnvironment } from '../lib/environment'

const issuer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('default: no issuer is trusted', () => {
  expect(readEnvironment({}).credentialIssuer).toBeUndefined()
  expect(readEnvironment({ KASSA_CREDENTIAL_ISSUER: '' }).credentialIssuer).toBeUndefined()
})

test('parameters: KASSA_CREDENTIAL_ISSUER', () => {
  expect(readEnvironment({ KASSA_CREDENTIAL_ISSUER: issuer }).credentialIssuer).toBe(issuer)
})

test.each(['operator', issuer.slice(0, -1), issuer.replace('C8', 'c8')])('error: %s is no issuer', (text) => {
  expect(() => readEnvironment({ KASSA_CREDENTIAL_ISSUER: text })).toThrow('KASSA_CREDENTIAL_ISSUER')
})
