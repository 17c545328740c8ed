import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { updatePaymentLink } from 'kassa/api'
import type { PaymentLink } from 'kassa/schema'
import { useState } from 'react'
import { client } from '../api/console.js'
import { perPage, useReadAgain } from '../api/developers.js'
import { paymentLinksQuery } from '../api/paymentLinks.js'
import { useMay } from '../api/session.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { Confirm } from '../components/Confirm.js'
import { CopyButton } from '../components/CopyButton.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Pager } from '../components/Pager.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { formatTime, wordFor } from '../lib/format.js'
import { numbers } from '../lib/numbers.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { CreateLinkDialog } from '../paymentLinks/CreateLinkDialog.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.paymentLinks
const tones: Readonly<Record<string, Tone>> = { active: 'good', 'used-up': 'info' }

/** Returns what a link is called: its title, or what it sells. */
const nameLink = ({ title, lineItems }: PaymentLink): string =>
  title ??
  lineItems.map(({ collectionLocator }) => collectionLocator.split(':').slice(1).join(':')).join(', ')

const describeUses = ({ uses, maxUses }: PaymentLink): string =>
  s.paidOf(numbers.format(`${uses.paid}`), maxUses === undefined ? undefined : numbers.format(`${maxUses}`))

/** Leads to the orders of a link. */
const Uses = ({ link }: { link: PaymentLink }) => (
  <Link to="/orders" search={{ search: link.paymentLinkId }}>
    {describeUses(link)}
    <span className="hidden">{s.ordersOf(nameLink(link))}</span>
  </Link>
)

const Status = ({ link: { status, expiresAt } }: { link: PaymentLink }) => (
  <>
    <Badge tone={tones[status] ?? 'neutral'}>{wordFor(s.statuses, status)}</Badge>
    {status === 'active' && expiresAt !== undefined && (
      <div className="soft">{s.until(formatTime(expiresAt))}</div>
    )}
  </>
)

const Switch = ({ link }: { link: PaymentLink }) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const { paymentLinkId } = link
  const change = async (status: 'active' | 'deactivated') => {
    await updatePaymentLink(client, { paymentLinkId, body: { status } })
    say(status === 'active' ? s.activated : s.deactivated)
    await readAgain('payment-links')
  }
  const activate = useMutation({
    mutationFn: () => change('active'),
    onError: (error) => say(describeError(error)),
  })
  const name = nameLink(link)
  if (link.status === 'deactivated') {
    return (
      <Button
        size="small"
        aria-label={s.activateOf(name)}
        isBusy={activate.isPending}
        onClick={() => activate.mutate()}
      >
        {s.activate}
      </Button>
    )
  }
  return (
    <Confirm
      size="small"
      label={s.deactivate}
      name={s.deactivateOf(name)}
      title={s.deactivateTitle(name)}
      text={s.deactivateText}
      action={s.deactivate}
      run={() => change('deactivated')}
    />
  )
}

const listColumns = (mayChange: boolean): Column<PaymentLink>[] => [
  {
    id: 'link',
    header: s.link,
    cell: ({ row: { original } }) => (
      <>
        <a className="strong" href={original.url} target="_blank" rel="noreferrer">
          {nameLink(original)}
        </a>
        <span className="narrow soft">{describeUses(original)}</span>
        <span className="narrow">
          <Status link={original} />
        </span>
      </>
    ),
  },
  { id: 'uses', header: s.uses, cell: ({ row }) => <Uses link={row.original} /> },
  { id: 'status', header: s.status, cell: ({ row }) => <Status link={row.original} /> },
  {
    id: 'actions',
    header: () => <span className="hidden">{t.actions}</span>,
    cell: ({ row: { original } }) => (
      <div className="row-actions">
        <CopyButton text={original.url} what={s.linkOf(nameLink(original))} />
        {mayChange && <Switch link={original} />}
      </div>
    ),
  },
]

const classes = { uses: 'wide tight figures', status: 'wide tight', actions: 'end' }

/** The payment links of the shop. */
export const PaymentLinks = () => {
  const [page, setPage] = useState(1)
  const query = useQuery(paymentLinksQuery(page))
  const mayCreate = useMay('orders.create')
  return (
    <Allowed scope="orders.read">
      <Page title={s.title} text={s.text} actions={mayCreate && <CreateLinkDialog />}>
        <Loaded query={query}>
          {({ data }) => (
            <>
              <div className="card" aria-busy={query.isPlaceholderData}>
                {data.length ? (
                  <DataTable
                    caption={s.title}
                    columns={listColumns(mayCreate)}
                    rows={data}
                    classes={classes}
                    getId={({ paymentLinkId }) => paymentLinkId}
                  />
                ) : (
                  <div className="empty">
                    <h2>{s.empty}</h2>
                    <p>{s.emptyText}</p>
                  </div>
                )}
              </div>
              <Pager page={page} isMore={data.length === perPage} onPage={setPage} />
            </>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
