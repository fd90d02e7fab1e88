/** Names do not always carry a version (`gemini-flash-latest`), so the old ones are the exception here. */
const OLD = /gemini-(?:1|2)(?:\.|-|$)|gemma|learnlm/;

/** Refuses the calls of a tool turn that come without a thought signature. */
export const demandsSignatures = (modelId: string): boolean => !OLD.test(modelId);

/** Takes pictures inside a function's response; others get them beside it. */
export const takesPicturesInResponses = (modelId: string): boolean => !OLD.test(modelId);

/** Can show a summary of its thoughts. */
export const showsThoughts = (modelId: string): boolean => !/gemini-(?:1|2\.0)|gemma|learnlm|image|tts/.test(modelId);
