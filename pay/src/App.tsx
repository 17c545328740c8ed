import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { CheckoutProvider, createClient } from 'kassa'
import { loadMessages } from 'kassa/locales'
import { useEffect, useMemo } from 'react'
import { WagmiProvider } from 'wagmi'
import { Buy } from './Buy.js'
import { type OpenedLink, PayError, readLink } from './link.js'
import { loadPageMessages, locale, type Messages } from './messages/index.js'
import { Notice } from './Notice.js'
import { baseUrl, createNetworks } from './networks.js'
import { Sheet } from './Sheet.js'
import { loadSolana } from './solana.js'
import { Till } from './Till.js'

const client = createClient({ baseUrl })
const queries = new QueryClient()
const isTill = new URLSearchParams(location.search).get('view') === 'till'

const open = async () => {
  const link = await readLink()
  return { link, solana: await loadSolana(link) }
}

type PageProps = Awaited<ReturnType<typeof open>> & { messages: Messages }

const Heading = ({ link, messages }: { link: OpenedLink; messages: Messages }) => (
  <header className="head">
    <p className="shop">{link.shop}</p>
    <h1>{link.title}</h1>
    {link.environment === 'staging' && <p className="test">{messages.testMode}</p>}
  </header>
)

const Page = ({ link, solana, messages }: PageProps) => {
  const networks = useMemo(() => createNetworks(link), [link])
  useEffect(() => {
    document.title = `${link.title} · ${link.shop}`
  }, [link])
  const { contracts, tokens } = link.rules
  return (
    <WagmiProvider config={networks}>
      <CheckoutProvider
        client={client}
        contracts={contracts}
        tokens={tokens}
        solana={solana}
        messages={loadMessages}
      >
        <main className="page" data-view={isTill ? 'till' : 'buy'}>
          <Heading link={link} messages={messages} />
          {isTill ? <Till link={link} messages={messages} /> : <Buy link={link} messages={messages} />}
          <Sheet messages={messages} />
          {!isTill && link.status === 'active' && (
            <footer className="foot">
              <button type="button" className="text-button" onClick={() => print()}>
                {messages.print}
              </button>
            </footer>
          )}
        </main>
      </CheckoutProvider>
    </WagmiProvider>
  )
}

const Loaded = () => {
  const messages = useQuery({ queryKey: ['messages'], queryFn: loadPageMessages, staleTime: Infinity })
  const opened = useQuery({
    queryKey: ['link'],
    queryFn: open,
    retry: (count, error) => count < 2 && !(error instanceof PayError && error.status < 500),
    staleTime: Infinity,
  })
  const { data: words } = messages
  if (!words) return null
  if (opened.data) return <Page {...opened.data} messages={words} />
  if (opened.error instanceof PayError && opened.error.status === 404) {
    return (
      <main className="page">
        <Notice status="missing" messages={words} />
      </main>
    )
  }
  return (
    <main className="page">
      {opened.error ? (
        <div className="card notice">
          <p role="alert" className="lead">
            {words.failed}
          </p>
          <button type="button" className="button" onClick={() => opened.refetch()}>
            {words.again}
          </button>
        </div>
      ) : (
        <p className="soft" role="status">
          {words.loading}
        </p>
      )}
    </main>
  )
}

/** The page of a payment link. */
export const App = () => {
  useEffect(() => {
    document.documentElement.lang = locale
  }, [])
  return (
    <QueryClientProvider client={queries}>
      <Loaded />
    </QueryClientProvider>
  )
}
