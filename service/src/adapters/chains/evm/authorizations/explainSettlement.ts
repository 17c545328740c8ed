import {
  type AuthorizationFault,
  type ProposedTerms,
  permit2Address,
  type RefusedAuthorization,
  writeAuthorization,
} from 'kassa/engine'
import {
  erc20Abi,
  getAddress,
  type Hex,
  hashTypedData,
  isAddressEqual,
  isErc6492Signature,
  type PublicClient,
  parseAbi,
  recoverAddress,
} from 'viem'
import { isNodeFailure } from '../connection/rpc.js'
import { toHex } from '../outbox/signed.js'
import { isUsed } from './readUse.js'
import type { Settlement } from './settleCalls.js'

const walletAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4 magicValue)',
])
const isValid = '0x1626ba7e'

/** Whether a signature is the payer's, as far as that can be told: a wallet that is not deployed yet cannot be asked. */
const isSigned = async (
  client: PublicClient,
  { authorization }: Settlement,
  hash: Hex,
): Promise<boolean | undefined> => {
  const signature = toHex(authorization.signature)
  const payer = getAddress(authorization.payer)
  if (isErc6492Signature(signature)) return undefined
  if (await client.getCode({ address: payer })) {
    const question = { address: payer, abi: walletAbi, functionName: 'isValidSignature' } as const
    return client.readContract({ ...question, args: [hash, signature] }).then(
      (answer) => answer === isValid,
      (error) => {
        if (isNodeFailure(error)) throw error
        return false
      },
    )
  }
  return recoverAddress({ hash, signature }).then(
    (signer) => isAddressEqual(signer, payer),
    () => false,
  )
}

const faults: Readonly<
  Record<'used' | 'signature', Readonly<Record<'token' | 'permit2', AuthorizationFault>>>
> = {
  used: { token: 'invalid_exact_evm_nonce_already_used', permit2: 'permit2_invalid_nonce' },
  signature: { token: 'invalid_exact_evm_payload_signature', permit2: 'invalid_permit2_signature' },
}

/**
 * Says in the words of x402 why the chain refuses an authorization.
 *
 * @param reason - The chain's own words.
 */
export const explainSettlement = async (
  client: PublicClient,
  { settlement, terms, reason }: { settlement: Settlement; terms: ProposedTerms; reason: string },
): Promise<RefusedAuthorization> => {
  const { token, units, authorization } = settlement
  const by = authorization.kind === 'erc3009' ? 'token' : 'permit2'
  const owner = getAddress(authorization.payer)
  const erc20 = { address: token, abi: erc20Abi } as const
  if (await isUsed(client, settlement)) {
    return { reason: faults.used[by], message: 'the nonce is used or cancelled' }
  }
  const balance = await client.readContract({ ...erc20, functionName: 'balanceOf', args: [owner] })
  if (balance < units) {
    const message = `the payer holds ${balance} of the ${units} base units to pay`
    return { reason: 'insufficient_funds', message }
  }
  const { typedData } = writeAuthorization(terms)
  if ((await isSigned(client, settlement, hashTypedData(typedData as never))) === false) {
    return { reason: faults.signature[by], message: 'the signature is not the payer’s, or of other data' }
  }
  if (by === 'permit2') {
    const args = [owner, permit2Address] as const
    const allowance = await client.readContract({ ...erc20, functionName: 'allowance', args })
    if (allowance < units) {
      const message = `Permit2 may move ${allowance} of the ${units} base units to pay`
      return { reason: 'permit2_allowance_required', message: `${message} (${reason})` }
    }
  }
  const message = `the chain refuses the payment: ${reason}`
  return { reason: 'invalid_exact_evm_transaction_simulation_failed', message }
}
