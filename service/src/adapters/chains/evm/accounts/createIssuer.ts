import { type Issuer, issueCredential } from 'kassa/engine'
import { type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { CredentialIssuer } from '#base/ports/issuer.js'

/** Signs credentials with the operator's key, whose address verifiers know as this deployment's. */
export const createIssuer = (operatorKey: Hex): CredentialIssuer => {
  const account = privateKeyToAccount(operatorKey)
  const issuer: Issuer = {
    address: account.address,
    sign: async ({ domain, types, primaryType, message }) => {
      const typed: Parameters<typeof hashTypedData>[0] = { domain, types, primaryType, message }
      return account.sign({ hash: hashTypedData(typed) })
    },
  }
  return { issue: (terms, holding) => issueCredential({ ...terms, issuer }, holding) }
}
