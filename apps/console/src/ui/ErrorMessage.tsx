/**
 * Shows an error with everything that helps: its message, code, fields, hint and the id of its request.
 */
import { AdminKeyMissing, ServiceError } from "../service/ServiceError.ts"

export const ErrorMessage = ({ error }: { readonly error: unknown }) => {
  if (error === undefined || error === null) return null
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ServiceError)) {
    const hint = error instanceof AdminKeyMissing ? "Add it under Session in the head of the page." : undefined
    return (
      <div class="error" role="alert">
        <p>{message}</p>
        {hint === undefined ? null : <p class="hint">{hint}</p>}
      </div>
    )
  }
  const { code, details, hint, issues, requestId, status } = error
  return (
    <div class="error" role="alert">
      <p>
        <code class="code">{code}</code> {message}
      </p>
      {details === undefined ? null : <p>{details}</p>}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {issues.length === 0 ? null : (
        <ul>
          {issues.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        Status {status}
        {requestId === undefined ? null : (
          <>
            , request <code>{requestId}</code>
          </>
        )}
      </p>
    </div>
  )
}
