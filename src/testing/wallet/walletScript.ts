import { RpcError } from '../../chain/evm/rpcError.js'

/** What a test's wallet does about what it is asked next. */
export type WalletScript = {
  /** Asks its owner. Throws when they decline. */
  agree(): Promise<void>
  takeReplacement(): 'speed-up' | 'cancel' | undefined
}

/** A request that waits in the wallet until the test decides. */
export type HeldRequest = {
  /** The owner agrees. */
  sign(): void
  /** The owner declines. */
  reject(): void
}

/** The script of a wallet, and how a test writes it. */
export const createWalletScript = () => {
  const answers: Promise<boolean>[] = []
  const replacements: ('speed-up' | 'cancel')[] = []
  const script: WalletScript = {
    agree: async () => {
      if (!((await answers.shift()) ?? true)) throw new RpcError(4001, 'User rejected the request.')
    },
    takeReplacement: () => replacements.shift(),
  }
  return {
    script,
    rejectNext: (): void => void answers.push(Promise.resolve(false)),
    holdNext: (): HeldRequest => {
      let decide = (_isAgreed: boolean): void => undefined
      answers.push(
        new Promise((resolve) => {
          decide = resolve
        }),
      )
      return { sign: () => decide(true), reject: () => decide(false) }
    },
    replaceNext: (replacement: 'speed-up' | 'cancel'): void => void replacements.push(replacement),
  }
}
