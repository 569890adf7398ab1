import { onBothDatabases } from '../../test/support/test-app';

onBothDatabases('order_create', (testApp) => {
  /** Its call as the program makes it, and the parameters by name. */
  const parameters = async () => {
    const rows = await testApp().db.rows<{ names: string[]; optional: number }>(
      "select proargnames as names, pronargdefaults as optional from pg_proc where proname = 'order_create'",
    );
    expect(rows).toEqual([{ names: expect.any(Array), optional: 0 }]);
    return (rows[0] as { names: string[] }).names;
  };
  const call = (names: string[]) =>
    testApp().db.one(`select order_create(${names.map((name) => `${name} => null`).join(', ')})`);

  it('fails when a parameter is misspelt or missing, whichever it is', async () => {
    const names = await parameters();
    // All of them are there: the call is made, and gets as far as the key that is missing.
    await expect(call(names)).rejects.toMatchObject({ code: '23502' });
    for (const name of names) {
      const others = names.filter((one) => one !== name);
      await expect(call([...others, `${name}_`])).rejects.toMatchObject({ code: '42883' });
      await expect(call(others)).rejects.toMatchObject({ code: '42883' });
    }
  });

  it('takes no value of another type', async () => {
    const names = await parameters();
    const rest = names.filter((name) => name !== 'p_user_coupon').map((name) => `${name} => null`);
    await expect(
      testApp().db.one(`select order_create(p_user_coupon => 'none', ${rest.join(', ')})`),
    ).rejects.toMatchObject({ code: '22P02' });
  });
});
