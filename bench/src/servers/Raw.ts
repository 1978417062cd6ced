/**
 * Runs the floor server: `node:http` sends bytes that it got before by `PUT`, and does not look at the request.
 */
import * as Listening from "./Listening.ts"

interface Kept {
  readonly status: number
  readonly headers: Array<string>
  readonly body: string
}

const answers = new Map<string | undefined, Kept>()

Listening.listen(({ method, url }, response, body) => {
  if (method === "PUT") {
    answers.set(url, JSON.parse(body))
    return Listening.send(response, 200, "")
  }
  const kept = answers.get(url)
  if (kept === undefined) return Listening.send(response, 404, "")
  response.writeHead(kept.status, kept.headers).end(kept.body)
})
