document.documentElement.dataset.script = 'ran';
addEventListener('DOMContentLoaded', () => {
  document.querySelector('#ask').addEventListener('click', async () => {
    document.querySelector('#answer').textContent = (await window.api.invoke('echo', 'hello')).join();
  });
});
