document.documentElement.dataset.script = 'ran';
try {
  // biome-ignore lint/security/noGlobalEval: the policy must refuse it
  document.documentElement.dataset.eval = eval('"ran"');
} catch {
  document.documentElement.dataset.eval = 'refused';
}
addEventListener('DOMContentLoaded', () => {
  document.querySelector('#ask').addEventListener('click', async () => {
    document.querySelector('#answer').textContent = (await window.api.invoke('echo', 'hello')).join();
  });
});
