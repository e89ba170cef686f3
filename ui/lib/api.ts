// Calls of the API that change something or need an answer.

export async function ask<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(path, {
    method,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json = (await answer.json()) as Answer & { error?: { message: string } };
  if (!answer.ok) throw new Error(json.error?.message ?? `the server responded with status ${answer.status}`);
  return json;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
