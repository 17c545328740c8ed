import { getAccount, watchAccount } from 'wagmi/actions'
import type { WagmiConfig } from '../../pay/evm/wagmiConfig.js'

/** Returns the address of the account that is connected through wagmi. */
export const getEvmAddress = (config: WagmiConfig | undefined): string | undefined =>
  config && getAccount(config).address

/** Calls a listener when that account changes. */
export const watchEvmAddress = (config: WagmiConfig | undefined, onChange: () => void): (() => void) =>
  config ? watchAccount(config, { onChange }) : () => {}
