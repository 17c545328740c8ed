import { formatUnits } from 'viem'
import type { SolanaNetwork } from '../../networks'
import type { Instruction, Message } from './readMessage'

const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
} as const

const solDecimals = 9

/** Which instruction of its program data begins with. */
const kinds = { transfer: 2, transferChecked: 12 } as const

type Described = { amount: string; currency: string; to: string }

const readTransfer = ({ program, accounts, data }: Instruction, network: SolanaNetwork): Described[] => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === programs.system && data.length === 12 && view.getUint32(0, true) === kinds.transfer) {
    const amount = formatUnits(view.getBigUint64(4, true), solDecimals)
    return [{ amount, currency: network.nativeCurrency, to: accounts[1] ?? '' }]
  }
  if (program === programs.token && data.length === 10 && data[0] === kinds.transferChecked) {
    const [, mint, to = ''] = accounts
    const known = Object.entries(network.tokens).find(([, { address }]) => address === mint)
    // A token that the shop does not list is shown by its address.
    const currency = known?.[0] ?? mint ?? ''
    return [{ amount: formatUnits(view.getBigUint64(1, true), data[9] ?? 0), currency, to }]
  }
  return []
}

/** Describes what a message pays and to whom, so that the owner can decide; undefined when it is no one payment. */
export const describePayment = (message: Message, network: SolanaNetwork): Described | undefined => {
  const [transfer, second] = message.instructions.flatMap((each) => readTransfer(each, network))
  return second ? undefined : transfer
}
