import { createWalletHandler, isTokenTransfer } from 'kassa/server'
import { readEnvironment } from '../../../../lib/environment'
import { getCurrentSession } from '../../../../lib/session/currentSession'

const { baseUrl, serverKey } = readEnvironment(process.env)

const handle = createWalletHandler({
  baseUrl,
  apiKey: serverKey,
  // Whose wallets these are is this shop's to say, from its own session, and never the browser's.
  user: async () => {
    const session = await getCurrentSession()
    return session && `email:${session.email}`
  },
  walletTypes: ['evm-mpc-wallet', 'evm-smart-wallet'],
  // This shop makes smart wallets for passkeys alone, which is what passes where nothing is said of it.
  canSend: (transaction) => isTokenTransfer(transaction) || 'This shop sends tokens on, and nothing else.',
})

export { handle as GET, handle as POST }
