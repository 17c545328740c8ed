import type { ReactNode } from 'react'
import { useMay } from '../api/session.js'
import { Page } from '../components/Page.js'
import { t } from '../messages/index.js'

/** Renders a page, if the role of the session has its scope. */
export const Allowed = ({ scope, children }: { scope: string; children: ReactNode }) =>
  useMay(scope) ? children : <Page title={t.denied.title}>{<p className="soft">{t.denied.text}</p>}</Page>
