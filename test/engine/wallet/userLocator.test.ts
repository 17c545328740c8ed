import { expect, test } from 'vitest'
import { userLocator } from '../../../src/engine/wallet/userLocator.js'

test.each([
  ['email', ' Ada@Example.COM ', 'email:ada@example.com'],
  ['twitter', '@Ada', 'twitter:ada'],
  ['twitter', 'ADA', 'twitter:ada'],
  ['x', '@Ada', 'twitter:ada'],
  ['phoneNumber', '+15551234567', 'phoneNumber:+15551234567'],
  ['userId', 'Shop:7', 'userId:Shop:7'],
] as const)('default: the user %s %s', (kind, value, locator) => {
  expect(userLocator(kind, value)).toBe(locator)
})
