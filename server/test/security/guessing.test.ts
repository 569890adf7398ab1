import { hashPassword } from '../../src/accounts/auth/passwords';
import { onEveryDatabase } from '../support/test-app';
import { workOf } from '../support/work-of';

onEveryDatabase('guessing', (testApp) => {
  let phones = 0;
  const phone = () => `1375${String(++phones).padStart(7, '0')}`;
  const verify = (number: string, code: string, address: string) =>
    testApp().post('app/login', { phone: number, login_type: 'verify', verify: code }, { address });
  const codeOf = (number: string) => testApp().sentCode(number);

  it('burns a code after five wrong tries, and after one use', async () => {
    const one = phone();
    await testApp().post('app/send_code', { phone: one }, { address: '10.1.0.1' });
    const code = await codeOf(one);
    const wrong = code === '000000' ? '111111' : '000000';
    const tries = [];
    for (let index = 0; index < 6; index++) tries.push((await verify(one, wrong, '10.1.0.2')).code);
    expect(tries).toEqual([41002, 41002, 41002, 41002, 41004, 41004]);
    expect((await verify(one, code, '10.1.0.2')).code).toBe(41004);
    const two = phone();
    await testApp().post('app/send_code', { phone: two }, { address: '10.1.0.1' });
    expect((await verify(two, await codeOf(two), '10.1.0.2')).code).toBe(200);
    expect((await verify(two, await codeOf(two), '10.1.0.2')).code).toBe(41004);
  });

  it('sends one code a minute and ten a day to a phone, twenty an hour to an address, whatever the session', async () => {
    const one = phone();
    const burst = await Promise.all(
      [1, 2, 3, 4].map((index) => testApp().post('app/send_code', { phone: one }, { address: `10.2.0.${index}` })),
    );
    expect(burst.map((answer) => answer.code).sort()).toEqual([200, 42901, 42901, 42901]);
    expect(burst.find((answer) => answer.code === 42901)?.status).toBe(429);
    // The day's limit holds across purposes.
    const scenes = ['login', 'cards', 'wallet', 'password'];
    const day: number[] = [];
    for (let index = 0; index < 11; index++) {
      await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [one]);
      const body = { phone: one, scene: scenes[index % scenes.length] };
      day.push((await testApp().post('app/send_code', body, { address: `10.2.1.${index}` })).code);
    }
    expect(day).toEqual([...Array(9).fill(200), 42901, 42901]);
    const hour: number[] = [];
    for (let index = 0; index < 22; index++)
      hour.push((await testApp().post('app/send_code', { phone: phone() }, { address: '10.2.2.1' })).code);
    expect(hour.filter((code) => code === 200)).toHaveLength(20);
  });

  it('leaves an attacker who tries codes for a day from ever new addresses a chance under one in ten thousand', async () => {
    const one = phone();
    let compared = 0;
    let sent = 0;
    for (let round = 0; round < 14; round++) {
      await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [one]);
      const answer = await testApp().post('app/send_code', { phone: one }, { address: `10.5.${round}.1` });
      if (answer.code !== 200) continue;
      sent += 1;
      const code = await codeOf(one);
      for (let index = 0; index < 8; index++) {
        const guess = String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
        const { code: result } = await verify(one, guess, `10.5.${round}.${index + 2}`);
        // A burnt code is refused without a look at the guess, except at the try that burns it.
        if (result === 41002) compared += 1;
        else if (index === 4) compared += 1;
        expect([41002, 41004]).toContain(result);
      }
      expect((await verify(one, code, `10.5.${round}.20`)).code).toBe(41004);
    }
    expect(sent).toBe(10);
    expect(compared).toBe(50);
    expect(compared / 1e6).toBeLessThan(1e-4);
  });

  it('answers the same for known and unknown phones, and never sends the code back', async () => {
    const person = await testApp().person();
    const answers = [];
    for (const number of [person.phone, phone()]) {
      const answer = await testApp().post('app/send_code', { phone: number }, { address: '10.3.0.1' });
      expect(answer.text).not.toContain(await codeOf(number));
      answers.push({ code: answer.code, data: answer.data, message: answer.message });
    }
    expect(answers[0]).toEqual(answers[1]);
    const logins = await Promise.all(
      [person.phone, phone()].map((number) =>
        testApp().post(
          'app/login',
          { phone: number, login_type: 'password', password: 'wrong-password' },
          { address: '10.3.0.2' },
        ),
      ),
    );
    expect(logins.map((answer) => [answer.code, answer.message])).toEqual(
      [logins[0], logins[0]].map((one) => [41001, one?.message]),
    );
  });

  it('does the same work for known and unknown phones, so that the time of an answer tells nothing', async () => {
    const passwordHash = await hashPassword('right-password');
    const member = async (withPassword: boolean) => {
      const person = await testApp().person();
      if (withPassword)
        await testApp().db.run('update users set password_hash = $2 where id = $1', [person.id, passwordHash]);
      return person.phone;
    };
    const post = (url: string, body: object) => testApp().post(url, body, { address: '10.0.0.1' });
    const calls: Record<string, (number: string) => Promise<unknown>> = {
      'send a code': (number) => post('app/send_code', { phone: number }),
      'sign in with a wrong code': (number) =>
        post('app/login', { phone: number, login_type: 'verify', verify: '000000' }),
      'sign in with a wrong password': (number) =>
        post('app/login', { phone: number, login_type: 'password', password: 'wrong-password' }),
      'register with a wrong code': (number) =>
        post('app/register', { phone: number, password: 'new-password-1', verify: '000000' }),
      'set a password with a wrong code': (number) =>
        post('app/setPassword', { phone: number, password: 'new-password-1', verify: '000000' }),
    };
    // The first sign-in of a process makes the decoy hash.
    await calls['sign in with a wrong password']?.(phone());
    for (const [name, call] of Object.entries(calls)) {
      const unknown = await workOf(() => call(phone()));
      expect(unknown.statements.length).toBeGreaterThan(0);
      expect(unknown.hashes).toBe(name.includes('wrong password') ? 1 : 0);
      // The owner's own address is known for the phone.
      for (const number of [await member(true), await member(false)])
        expect([name, await workOf(() => call(number))]).toEqual([name, unknown]);
    }
  });

  it('limits password guessing without locking the owner out', async () => {
    const person = await testApp().person(0, 'right-password');
    const login = (password: string, address: string) =>
      testApp().post('app/login', { phone: person.phone, login_type: 'password', password }, { address });
    const guesses = [];
    for (let index = 0; index < 8; index++) guesses.push((await login('wrong-password', '10.4.0.1')).code);
    expect(guesses).toEqual([41001, 41001, 41001, 41001, 41001, 42901, 42901, 42901]);
    for (let address = 2; address < 12; address++) {
      for (let index = 0; index < 4; index++) await login('wrong-password', `10.4.0.${address}`);
    }
    expect((await login('right-password', '10.4.1.1')).code).toBe(42901); // a stranger's address
    expect((await login('right-password', '10.0.0.1')).code).toBe(200); // one that the owner has used
  });
});
