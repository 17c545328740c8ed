import type { Issuer } from 'kassa/engine'
import { type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Signs credentials with the operator's key, whose address verifiers know as this deployment's. */
export const createIssuer = (operatorKey: Hex): Issuer => {
  const account = privateKeyToAccount(operatorKey)
  return {
    address: account.address,
    sign: async ({ domain, types, primaryType, message }) => {
      const typed: Parameters<typeof hashTypedData>[0] = { domain, types, primaryType, message }
      return account.sign({ hash: hashTypedData(typed) })
    },
  }
}
