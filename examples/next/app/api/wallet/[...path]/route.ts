import { createWalletHandler } from 'kassa/server'
import { readEnvironment } from '../../../../lib/environment'
import { getCurrentSession } from '../../../../lib/session/currentSession'
import { isTokenTransfer } from '../../../../lib/wallet/isTokenTransfer'

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
  canSend: ({ params }) =>
    isTokenTransfer(params) || 'This shop sends tokens on, one at a time, and nothing else.',
})

export { handle as GET, handle as POST }
