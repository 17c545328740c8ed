import { formatUnits, type Hex } from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import { readField } from '../../errors/readField.js'
import type { TypedData } from '../../schema/authorization.js'
import type { SandboxPayment } from '../sandboxPayment.js'
import type { SandboxChain } from './openSandbox.js'
import type { WalletStore } from './walletStore.js'

/** The account of a browser, and how its owner confirms a payment. */
type Owner = {
  store: WalletStore
  confirm?: ((payment: SandboxPayment) => boolean | Promise<boolean>) | undefined
}

/** Finds the token, the recipient and the amount in the typed data of a payment, or of a permit for one. */
const readPayment = ({ primaryType, domain, message }: TypedData) => {
  const { verifyingContract: token } = domain
  switch (primaryType) {
    case 'TransferWithAuthorization':
      return { token, to: message.to, units: message.value }
    case 'Permit':
      return { token, to: message.spender, units: message.value }
    case 'PermitWitnessTransferFrom': {
      const { permitted, witness } = message
      const [paid, units] = [readField(permitted, 'token'), readField(permitted, 'amount')]
      return { token: paid, to: readField(witness, 'to'), units }
    }
    default:
      return undefined
  }
}

/** Describes what typed data pays and to whom; undefined if it is no payment in a token of the chain. */
const describe = (
  { name, tokens }: SandboxChain,
  typedData: TypedData,
  from: string,
): SandboxPayment | undefined => {
  const { token, to, units } = readPayment(typedData) ?? {}
  const known = Object.entries(tokens).find(
    ([, { address }]) => address.toLowerCase() === String(token).toLowerCase(),
  )
  if (!known || typeof to !== 'string' || !/^\d+$/.test(String(units))) return undefined
  const [currency, { decimals }] = known
  return { chain: name, from, to, amount: formatUnits(BigInt(String(units)), decimals), currency }
}

const parse = (text: unknown): TypedData | undefined => {
  try {
    const data: TypedData = JSON.parse(String(text))
    return data.domain && data.message ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * Signs a payment that the shop sends, or the permit for one, once its owner has confirmed it.
 *
 * @throws RpcError for any other typed data, which the wallet does not sign.
 */
export const signPayment = async (
  { store, confirm }: Owner,
  chain: SandboxChain,
  [signer, text]: readonly unknown[],
): Promise<Hex> => {
  const account = store.getAccount()
  const typedData = parse(text)
  const payment = typedData && describe(chain, typedData, account.address)
  if (!typedData || !payment) throw new RpcError(4200, 'The sandbox wallet signs payments alone.')
  if (!store.isPermitted() || String(signer).toLowerCase() !== account.address.toLowerCase()) {
    throw new RpcError(4100, 'The sandbox wallet is not connected as this account.')
  }
  if (Number(typedData.domain.chainId) !== chain.chainId) {
    throw new RpcError(4901, 'The sandbox wallet is on another chain.')
  }
  if (confirm && !(await confirm(payment))) throw new RpcError(4001, 'Declined in the sandbox wallet.')
  // The cast is deliberate: viem derives the type of a message from types that are literals.
  return account.signTypedData(typedData as never)
}
