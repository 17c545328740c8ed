import { useMay } from '../api/session.js'
import { Page } from '../components/Page.js'
import { EndpointsCard } from '../developers/EndpointsCard.js'
import { KeysCard } from '../developers/KeysCard.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

/** The API keys and the webhook endpoints of the shop. */
export const Developers = () => {
  const mayManageKeys = useMay('keys.manage')
  return (
    <Allowed scope="webhooks.read">
      <Page title={t.developers.title} text={t.developers.text}>
        {mayManageKeys && <KeysCard />}
        <EndpointsCard />
      </Page>
    </Allowed>
  )
}
