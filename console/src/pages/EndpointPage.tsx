import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { WebhookEndpoint } from 'kassa/schema'
import { endpointQuery } from '../api/developers.js'
import { useMay } from '../api/session.js'
import { Card } from '../components/Card.js'
import { CopyButton } from '../components/CopyButton.js'
import { Facts } from '../components/Facts.js'
import { Icon } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { DeliveriesCard } from '../developers/DeliveriesCard.js'
import { EndpointActions } from '../developers/EndpointActions.js'
import { countTypes, EndpointStatus } from '../developers/EndpointsCard.js'
import { formatTime } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.webhooks

const EndpointFacts = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <Card title={s.endpoint}>
    <div className="card-body">
      <Facts
        isStacked
        of={[
          [
            s.url,
            <span className="copyable" key="url">
              <span className="mono">{endpoint.url}</span>
              <CopyButton text={endpoint.url} what={s.url} />
            </span>,
          ],
          [
            s.events,
            <details key="events">
              <summary>{countTypes(endpoint)}</summary>
              <code>{endpoint.eventTypes.join(', ')}</code>
            </details>,
          ],
          [s.since, formatTime(endpoint.createdAt)],
        ]}
      />
    </div>
  </Card>
)

const route = getRouteApi('/shell/developers/webhooks/$endpointId')

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** A webhook endpoint, what was sent to it, and what may be done to it. */
export const EndpointPage = () => {
  const { endpointId } = route.useParams()
  const query = useQuery(endpointQuery(endpointId))
  const mayManage = useMay('webhooks.manage')
  const endpoint = query.data
  const crumb = (
    <Link to="/developers" className="crumb">
      <Icon name="left" />
      {t.developers.title}
    </Link>
  )
  return (
    <Allowed scope="webhooks.read">
      <Page
        title={endpoint ? hostOf(endpoint.url) : s.endpoint}
        crumb={crumb}
        mark={endpoint && <EndpointStatus endpoint={endpoint} />}
        actions={endpoint && mayManage && <EndpointActions endpoint={endpoint} />}
      >
        <Loaded query={query}>
          {(known) => (
            <div className="columns">
              <div className="column">
                <DeliveriesCard endpointId={endpointId} />
              </div>
              <div className="column">
                <EndpointFacts endpoint={known} />
              </div>
            </div>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
