import { parseUserLocator, type UserKind } from '../../schema/walletLocator.js'
import { invalid } from '../invalidInput.js'

const handle = (value: string): string => `twitter:${value.replace(/^@/, '').toLowerCase()}`

const canonical: Readonly<Record<UserKind, (value: string) => string>> = {
  email: (value) => `email:${value.trim().toLowerCase()}`,
  userId: (value) => `userId:${value}`,
  phoneNumber: (value) => `phoneNumber:${value}`,
  twitter: handle,
  x: handle,
}

/**
 * Returns a wallet owner's locator, such as `email:ada@example.com`. All spellings of an e-mail address or a
 * handle, and both names of the network, give the same locator. A merchant's own id stays as it is.
 */
export const userLocator = (kind: UserKind, value: string): string => canonical[kind](value)

/**
 * Reads the owner of a wallet.
 *
 * @throws {@link InvalidInput} if the text names none.
 */
export const readLinkedUser = (linkedUser: string): string => {
  const user = parseUserLocator(linkedUser)
  if (!user) throw invalid('linkedUser', 'expected a user locator')
  return userLocator(user.kind, user.value)
}
