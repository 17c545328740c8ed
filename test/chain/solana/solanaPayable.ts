import { decodeBase58, encodeBase58 } from '../../../src/engine/solana/base58.js'
import { getOrderAccounts, programs } from '../../../src/engine/solana/orderAccounts.js'
import type { Order } from '../../../src/schema/index.js'
import { orderFixture } from '../../../src/testing/orderFixture.js'

const keyOf = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte))

export const payer = keyOf(7)
/** The address of a key, as an operator's is. */
export const operator = keyOf(6)
export const withoutKey = keyOf(8)
export const stranger = keyOf(9)
export const mint = keyOf(10)
export const blockhash = keyOf(11)
export const orderId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** An instruction to encode. Its accounts are addresses. */
export type Draft = { program: string; accounts: readonly string[]; data: readonly number[] }

const length = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, value >> 7])

/** Encodes a message as compilers do: signers first, then the other accounts, then the programs. */
export const encodeMessage = (
  instructions: readonly Draft[],
  {
    signers = [payer],
    isVersioned = true,
    tables = 0,
  }: { signers?: readonly string[]; isVersioned?: boolean; tables?: number } = {},
): Uint8Array => {
  const named = instructions.flatMap(({ program, accounts }) => [...accounts, program])
  const addresses = [...new Set([...signers, ...named])]
  const at = (address: string): number => addresses.indexOf(address)
  return Uint8Array.from([
    ...(isVersioned ? [128] : []),
    signers.length,
    0,
    0,
    ...length(addresses.length),
    ...addresses.flatMap((address) => [...(decodeBase58(address) ?? [])]),
    ...(decodeBase58(blockhash) ?? []),
    ...length(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      at(program),
      ...length(accounts.length),
      ...accounts.map(at),
      ...length(data.length),
      ...data,
    ]),
    ...(isVersioned ? [tables] : []),
  ])
}

const u64 = (units: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((units >> BigInt(8 * at)) & 255n))

export const accountsOf = (currency: 'sol' | 'usdc') =>
  getOrderAccounts(operator, orderId, currency === 'usdc' ? mint : undefined)

/** The transfer that pays for the order. */
export const transferOf = (currency: 'sol' | 'usdc', units: bigint): Draft => {
  const { account, references } = accountsOf(currency)
  return currency === 'sol'
    ? {
        program: programs.system,
        accounts: [payer, account, ...references],
        data: [2, 0, 0, 0, ...u64(units)],
      }
    : {
        program: programs.token,
        accounts: [keyOf(12), mint, account, payer, ...references],
        data: [12, ...u64(units), 6],
      }
}

export const memo = (text = `Order ${orderId}`): Draft => ({
  program: programs.memo,
  accounts: [],
  data: [...new TextEncoder().encode(text)],
})

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** An order that is to be paid on Solana with a message. */
export const solanaOrder = (message: Uint8Array | string, currency = 'sol', amount = '0.5'): Order => {
  const order = orderFixture()
  const serializedTransaction = typeof message === 'string' ? message : toBase64(message)
  return {
    ...order,
    orderId,
    quote: { ...order.quote, totalPrice: { amount, currency } },
    payment: {
      ...order.payment,
      method: 'solana',
      currency,
      preparation: { chain: 'solana', payerAddress: payer, serializedTransaction },
    },
  }
}
