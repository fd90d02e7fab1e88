/**
 * What a person answers who agrees to everything and leaves a form as it was opened: its defaults, and whatever it insists on.
 *
 * @param {import('../../packages/desktop/app/shared/contracts/mcp-requests.contract.ts').ServerQuestion} question
 * @returns {import('../../packages/desktop/app/shared/contracts/mcp-requests.contract.ts').RequestAnswer}
 */
export function agreedAnswer(question) {
  if (question.kind === 'url') return { action: question.opened ? 'done' : 'open' };
  // No suite for clients asks for a model's answer, and there is no model here.
  if (question.kind === 'sampling') return { action: 'decline' };
  const values = question.fields.map((field) => ({ name: field.name, value: enteredIn(field) }));
  return { action: 'accept', values: values.filter(({ value }) => value !== undefined) };
}

function enteredIn(field) {
  if (field.default !== undefined || !field.required) return field.default;
  switch (field.type) {
    case 'number':
      return field.minimum ?? 1;
    case 'boolean':
      return true;
    case 'choice':
      return field.options[0]?.value;
    case 'choices':
      return field.options.slice(0, field.minItems ?? 0).map(({ value }) => value);
    default:
      return 'test';
  }
}
