import { createWalletHandler, isTokenTransfer } from 'kassa/server'
import { readEnvironment } from '../../../../lib/environment'
import { getCurrentSession } from '../../../../lib/session/currentSession'

const { baseUrl, serverKey } = readEnvironment(process.env)

const handle = createWalletHandler({
  baseUrl,
  apiKey: serverKey,
  // The shop derives the wallets' owner from its own session and never from the browser's request.
  user: async () => {
    const session = await getCurrentSession()
    return session && `email:${session.email}`
  },
  walletTypes: ['evm-mpc-wallet', 'evm-smart-wallet', 'solana-mpc-wallet'],
  // This shop creates smart wallets only with passkeys, which the handler allows by default.
  canSend: (transaction) => isTokenTransfer(transaction) || 'This shop sends tokens on, and nothing else.',
})

export { handle as GET, handle as POST }
