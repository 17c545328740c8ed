import { Link } from '@tanstack/react-router'
import { Page } from '../components/Page.js'
import { t } from '../messages/index.js'

/** The page of an address that leads nowhere. */
export const Missing = () => (
  <Page title={t.missing.title} text={t.missing.text}>
    <p>
      <Link to="/">{t.missing.home}</Link>
    </p>
  </Page>
)
