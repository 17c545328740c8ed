import { Button } from '../components/Button.js'
import { t } from '../messages/index.js'

/** The page in place of one that threw an error. */
export const Broken = () => (
  <main className="empty">
    <h1>{t.broken.title}</h1>
    <p>{t.broken.text}</p>
    <Button onClick={() => location.reload()}>{t.broken.reload}</Button>
  </main>
)
