import { type Address, lamports, type MaybeEncodedAccount } from '@solana/kit'
import type { LiteSVM } from 'litesvm'

const systemProgram = '11111111111111111111111111111111' as Address

const isSame = (one: MaybeEncodedAccount, other: MaybeEncodedAccount): boolean =>
  one.exists === other.exists &&
  (!one.exists ||
    !other.exists ||
    (one.lamports === other.lamports &&
      one.programAddress === other.programAddress &&
      Buffer.compare(one.data, other.data) === 0))

/** Sets an account to an earlier state. One that did not exist then ends. */
export const restoreAccount = (machine: LiteSVM, account: MaybeEncodedAccount): void => {
  const { address } = account
  machine.setAccount(
    account.exists
      ? account
      : {
          address,
          data: new Uint8Array(),
          executable: false,
          space: 0n,
          lamports: lamports(0n),
          programAddress: systemProgram,
        },
  )
}

/** Remembers the accounts as they were before recent blocks, which may be undone or not be confirmed yet. */
export const createAccountHistory = (machine: LiteSVM) => {
  const before = new Map<bigint, Map<Address, MaybeEncodedAccount>>()
  return {
    /**
     * Records what a transaction in the block of a slot changed, and returns the addresses of the changed accounts.
     * The first state of each account counts.
     */
    record: (
      slot: bigint,
      pre: readonly MaybeEncodedAccount[],
      post: readonly MaybeEncodedAccount[],
    ): Address[] => {
      const states = before.get(slot) ?? new Map<Address, MaybeEncodedAccount>()
      before.set(slot, states)
      const changed = pre.filter((account, at) => {
        const now = post[at]
        return now && !isSame(account, now)
      })
      for (const account of changed) if (!states.has(account.address)) states.set(account.address, account)
      return changed.map(({ address }) => address)
    },
    /** Returns an account as it was at the end of a slot. */
    read: (address: Address, slot: bigint): MaybeEncodedAccount => {
      for (const [changedIn, accounts] of before) {
        const account = changedIn > slot ? accounts.get(address) : undefined
        if (account) return account
      }
      return machine.getAccount(address)
    },
    /** Returns the addresses of all accounts that recent blocks changed. */
    listChanged: (): Address[] => [...before.values()].flatMap((accounts) => [...accounts.keys()]),
    /** Undoes the block of a slot, which must be the last one that changed anything. */
    undo: (slot: bigint): void => {
      for (const account of before.get(slot)?.values() ?? []) restoreAccount(machine, account)
      before.delete(slot)
    },
    /** Forgets what was before a final slot. */
    forget: (finalSlot: bigint): void => {
      for (const slot of before.keys()) if (slot <= finalSlot) before.delete(slot)
    },
  }
}
